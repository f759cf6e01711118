import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { text } from '../text.ts';
import { FaultBox, Loading } from './empty.tsx';

/** A component whose code is loaded when it is first shown. @param load its module, as a component */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [fault, setFault] = useState<string | null>(null);
    const [, setRound] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      const fetchCode = async (): Promise<void> => {
        loaded = await load();
        setRound((round) => round + 1);
      };
      fetchCode().catch((error: unknown) => setFault(messageOf(error)));
    }, []);
    if (fault !== null) return <FaultBox message={fault} />;
    const Component = loaded;
    return Component === undefined ? <Loading label={text.loading} /> : <Component {...props} />;
  };
}
