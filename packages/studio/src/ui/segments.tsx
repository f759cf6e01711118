/** A choice of one option out of a few, side by side. */
export function Segments<Name extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  label: string;
  choices: readonly { name: Name; label: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(({ name, label: shown }) => (
        <button
          key={name}
          type="button"
          class="segment"
          aria-pressed={chosen === name}
          onClick={() => onChoose(name)}
        >
          {shown}
        </button>
      ))}
    </div>
  );
}
