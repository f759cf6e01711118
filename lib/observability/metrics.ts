import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';

/** Metrics that CloudWatch extracts from the functions' logs (functions/shared/measures.ts). */

/** Returns the namespace of a deployment's metrics. */
export function metricsNamespace(name: string): string {
  return `Platen/${name}`;
}

/** The metrics that functions measure. */
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
