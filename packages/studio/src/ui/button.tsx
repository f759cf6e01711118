import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** The label of a button that shows only an icon. */
  label?: string;
  disabled?: boolean;
  busy?: boolean;
  type?: 'button' | 'submit';
  pressed?: boolean;
  onClick?: (event: MouseEvent) => unknown;
}

export function Button(props: ButtonProps) {
  const { children, icon, kind = 'plain', label, disabled, busy, type = 'button', pressed, onClick } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${children === undefined ? ' square' : ''}${busy === true ? ' busy' : ''}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-busy={busy === true ? true : undefined}
      disabled={disabled === true || busy === true}
      onClick={(event) => void onClick?.(event)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
