import { text } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Macs have another key for what Control does elsewhere. */
const isMac = navigator.userAgent.includes('Mac');

/** Lists what the keys do in the editor. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.help.title} onClose={onClose}>
      <dl class="facts">
        {text.help.keys.map(([keys, use]) => (
          <div key={keys} class="fact">
            <dt>
              <kbd>{isMac ? keys.replaceAll('Ctrl', 'Cmd') : keys}</kbd>
            </dt>
            <dd>{use}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{text.help.hint}</p>
    </Dialog>
  );
}
