import { useState } from 'preact/hooks';
import { API } from '../api/client.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { Segments } from '../ui/segments.tsx';
import { CODE_LANGUAGES, codeFor, type CodeLanguage } from './as-code.ts';
import type { EditorModel } from './model.ts';

/** Shows how a program produces the document in the preview. The token is never part of it. */
export function AsCode({ model }: { model: EditorModel }) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const code = codeFor(language, {
    base: API.href.replace(/\/$/, ''),
    id: model.id,
    data: model.data.value,
  });
  return (
    <div class="scroll as-code">
      <p class="hint">{text.asCode.lead}</p>
      <div class="sub-bar">
        <Segments
          label={text.asCode.language}
          choices={CODE_LANGUAGES}
          chosen={language}
          onChoose={setLanguage}
        />
        <span class="space" />
        <Button kind="quiet" icon="copy" onClick={() => copyText(code)}>
          {text.copy}
        </Button>
      </div>
      <pre class="code" tabIndex={0}>
        {code}
      </pre>
    </div>
  );
}
