import { createFetcher } from '../shared/fetcher/index.ts';
import { type JobEvent } from '../shared/jobs/events.ts';
import { setLogLevel } from '../shared/log.ts';
import { JobStore } from '../shared/store/jobs.ts';
import { webhookSecret } from '../shared/store/webhook-secrets.ts';
import { readWebhookConfig } from './config.ts';
import { notifyReceiver } from './notify.ts';

/** The function that calls receivers: the one with a way to addresses that callers choose, and with few rights. */
const config = readWebhookConfig();
setLogLevel(config.logLevel);

const store = new JobStore({ table: config.jobsTable, bucket: '', lifetime: 0 });
const fetcher = createFetcher({ outside: 'open', isAllowedAddress: config.isCallbackAddress });

export async function handler(event: JobEvent): Promise<object> {
  const { tenant, id } = event.job;
  if (event.step === 'give-up') await store.giveUpCallback(tenant, id);
  else {
    const secret = (of: string): Promise<string> => webhookSecret(config.jobsTable, of);
    await notifyReceiver(event, { store, fetcher, secret });
  }
  return {};
}
