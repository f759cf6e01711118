import { dismiss, notices } from '../state/notices.ts';
import { text } from '../text.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text: message }) => (
        <div key={id} class={`notice ${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'warning'} />
          <span class="notice-text">{message}</span>
          <Button kind="quiet" icon="close" label={text.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
