import { render } from 'preact';
import { App } from './app.tsx';
import { followAddress } from './state/router.ts';
import { resume } from './state/session.ts';
import { followTheme } from './state/theme.ts';

resume();
followTheme();
followAddress();
const root = document.getElementById('studio');
if (root !== null) render(<App />, root);
