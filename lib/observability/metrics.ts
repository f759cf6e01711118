import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';

/** Metrics that CloudWatch takes from the functions' logs (functions/shared/measures.ts). */

/** Where those of a deployment are kept. */
export function metricsNamespace(name: string): string {
  return `Platen/${name}`;
}

/** Those that functions measure. */
export type Measure = 'documents' | 'pages' | 'bytes' | 'queue_ms' | 'engine_ms' | 'fallbacks';

/** @param statistic `Sum`, `p90` */
export function measureMetric(deployment: string, measure: Measure, statistic: string): IMetric {
  return new Metric({
    namespace: metricsNamespace(deployment),
    metricName: measure,
    statistic,
    label: `${measure.replace('_ms', ', ms')}${statistic === 'Sum' ? '' : ` (${statistic})`}`,
  });
}
