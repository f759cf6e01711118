import { EndpointAccessMode, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';

/** Policies of regional endpoints. `TLS_1_0` is API Gateway's default. */
export const TLS_POLICIES = {
  TLS_1_0: SecurityPolicy.TLS_1_0,
  TLS_1_2_PQ: SecurityPolicy.TLS13_1_2_PQ_2025_09,
  TLS_1_2_PFS_PQ: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  TLS_1_3: SecurityPolicy.TLS13_1_3_2025_09,
  TLS_1_3_FIPS: SecurityPolicy.TLS13_1_3_FIPS_2025_09,
} as const;

/** Returns the minimum TLS setting of a domain or an API; nothing for API Gateway's own default. */
export function restTls(policy: keyof typeof TLS_POLICIES): {
  securityPolicy?: SecurityPolicy;
  endpointAccessMode?: EndpointAccessMode;
} {
  if (policy === 'TLS_1_0') return {};
  // STRICT also refuses clients whose SNI is not the host they ask for, such as those behind some proxies.
  return { securityPolicy: TLS_POLICIES[policy], endpointAccessMode: EndpointAccessMode.BASIC };
}
