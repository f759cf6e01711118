import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** A placeholder for an empty list or screen. */
export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={32} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Loading({ label }: { label: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {label}
    </p>
  );
}

/** Shows a fault as text. */
export function FaultBox({ message }: { message: string }) {
  return (
    <p class="fault-box" role="alert">
      <Icon name="warning" />
      <span>{message}</span>
    </p>
  );
}
