import { listHistory, MAX_HISTORY } from '../api/templates.ts';
import { text } from '../text.ts';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { useLoad } from '../ui/use-load.ts';
import { timeOf } from '../ui/when.ts';

/** Lists who did what to a template, newest first. */
export function History({ id }: { id: string }) {
  const { value: events, fault } = useLoad(() => listHistory(id), id);
  if (fault !== null) return <FaultBox message={fault} />;
  if (events === null) return <Loading label={text.loading} />;
  if (events.length === 0) return <p>{text.history.none}</p>;
  return (
    <>
      <ol class="versions history">
        {events.map(({ action, version, by, timestamp }, index) => (
          <li key={index}>
            <time dateTime={timestamp}>{timeOf(timestamp)}</time>
            <span>{text.history.actions[action](version)}</span>
            {by !== null && <bdi class="hint by">{by}</bdi>}
          </li>
        ))}
      </ol>
      {events.length === MAX_HISTORY && <p class="hint">{text.history.more(MAX_HISTORY)}</p>}
    </>
  );
}
