import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DeployedName } from '../functions.ts';

/**
 * Queries for the functions' logs, which CloudWatch shows under Logs Insights as saved queries. The fields are
 * those of functions/shared/log.ts and of Lambda's own report.
 */
const QUERIES: Readonly<Record<string, ConstructorParameters<typeof QueryString>[0]>> = {
  'errors, newest first': {
    fields: ['@timestamp', 'level', 'message', 'request_id', 'error.name', 'error.message'],
    filterStatements: ["level = 'error'"],
    sort: '@timestamp desc',
    limit: 100,
  },
  'one request (put its id in)': {
    fields: ['@timestamp', '@log', 'level', 'message', 'error.message'],
    filterStatements: ["request_id = 'REQUEST-ID'"],
    sort: '@timestamp asc',
  },
  'slowest requests': {
    fields: ['@timestamp', 'resource', 'status', 'ms', 'request_id'],
    filterStatements: ["message = 'request'"],
    sort: 'ms desc',
    limit: 50,
  },
  'answers by resource and status': {
    filterStatements: ["message = 'request'"],
    statsStatements: ['count(*) as answers, pct(ms, 50) as p50, pct(ms, 90) as p90 by resource, status'],
    sort: 'answers desc',
  },
  'documents by tenant': {
    filterStatements: ['ispresent(documents)'],
    statsStatements: [
      'sum(documents) as made, sum(pages) as printed, sum(engine_ms) as engines, sum(fallbacks) as again by tenant',
    ],
    sort: 'made desc',
  },
  'cold starts and memory': {
    filterStatements: ["type = 'platform.report'"],
    statsStatements: [
      'count(*) as invocations, count(record.metrics.initDurationMs) as cold, max(record.metrics.initDurationMs) as longest, max(record.metrics.maxMemoryUsedMB) as mb by @log',
    ],
  },
  'tokens that were refused': {
    filterStatements: ["message = 'token refused'"],
    statsStatements: ['count(*) as times by reason, token_id, bin(5m)'],
    sort: 'times desc',
  },
};

/** Saves the queries under the name of the deployment. */
export function createQueries(
  scope: Construct,
  name: string,
  functions: ReadonlyMap<DeployedName, LambdaFunction>,
): void {
  const logGroups = [...functions.values()].map(({ logGroup }) => logGroup);
  for (const [title, query] of Object.entries(QUERIES)) {
    new QueryDefinition(scope, `query ${title}`, {
      queryDefinitionName: `${name}/${title}`,
      queryString: new QueryString(query),
      logGroups,
    });
  }
}
