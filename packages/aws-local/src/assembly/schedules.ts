import { physicalName, type Resolver } from './resolver.ts';
import { AssemblyError } from './template.ts';

/** A rule that calls a function at intervals. */
export interface ScheduleSpec {
  name: string;
  everyMs: number;
  functionName: string;
  /** The function's input instead of EventBridge's own event, if the rule sets one. */
  input: unknown;
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** @throws AssemblyError for a schedule other than `rate(…)` */
export function readSchedules(resolver: Resolver): ScheduleSpec[] {
  const schedules: ScheduleSpec[] = [];
  for (const [id, resource] of Object.entries(resolver.template.resources)) {
    const properties = (resource.Properties ?? {}) as {
      ScheduleExpression?: string;
      State?: string;
      Targets?: { Arn: unknown; Input?: string }[];
    };
    if (resource.Type !== 'AWS::Events::Rule' || properties.ScheduleExpression === undefined) continue;
    if (properties.State === 'DISABLED') continue;
    const name = physicalName(resolver, id);
    for (const { Arn, Input } of properties.Targets ?? []) {
      const functionName = /:function:([^/:]+)$/.exec(resolver.text(Arn))?.[1];
      if (functionName === undefined) continue;
      schedules.push({
        name,
        everyMs: interval(name, properties.ScheduleExpression),
        functionName,
        input: Input === undefined ? undefined : (JSON.parse(Input) as unknown),
      });
    }
  }
  return schedules;
}

function interval(name: string, expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined || unit === undefined) {
    throw new AssemblyError(
      `The rule ${name} has the schedule ${expression}: the local service knows rate(…) only.`,
    );
  }
  return Number(count) * (UNIT_MS[unit] ?? 0);
}
