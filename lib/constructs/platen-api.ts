import { Duration, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  type CfnRestApi,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  MethodLoggingLevel,
  RequestAuthorizer,
  type Resource,
  ResponseTransferMode,
  RestApi,
  type RestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import type { FunctionGroup, Route } from '@platen/contract/route';
import type { LogSettings } from '../log-settings.ts';
import type { Settings } from '../settings.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { restTls } from './tls.ts';

/** Documents are streamed, so the gateway uses its maximum timeout (I-35). */
const INTEGRATION_TIMEOUT = Duration.minutes(15);
/** The time for which a revoked token may still be accepted. */
const AUTHORIZER_CACHE = Duration.minutes(5);

export interface PlatenApiProps {
  routes: readonly Route[];
  /** The function that answers the routes of a group. */
  functionOf: (group: FunctionGroup) => IFunction;
  authorizer: IFunction;
  settings: Settings;
  log: LogSettings;
}

/** The REST API, generated from the route table: this file does not repeat any part of /v1. */
export class PlatenApi extends Construct {
  readonly rest: RestApi;
  private readonly props: PlatenApiProps;
  private readonly authorizer: RequestAuthorizer;
  private readonly integrations = new Map<IFunction, LambdaIntegration>();

  constructor(scope: Construct, id: string, props: PlatenApiProps) {
    super(scope, id);
    this.props = props;
    this.rest = this.createApi();
    addGatewayResponses(this.rest, props.settings);
    this.authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      identitySources: [IdentitySource.header('Authorization')],
      resultsCacheTtl: AUTHORIZER_CACHE,
    });
    this.addRoutes();
    this.acknowledgeRules();
  }

  private createApi(): RestApi {
    const { settings, log } = this.props;
    const accessLog = new LogGroup(this, 'AccessLog', log);
    const rest = new RestApi(this, 'Rest', {
      restApiName: settings.name,
      description: 'Platen: templates in, documents out',
      ...endpoint(this, settings),
      // With this setting, uploads reach the functions unchanged, byte for byte.
      binaryMediaTypes: ['*/*'],
      // The setting applies to the whole account. It is retained with the stack, because other APIs may use it by
      // then.
      cloudWatchRole: settings.gatewayAccount,
      deployOptions: {
        stageName: settings.stage,
        tracingEnabled: settings.tracePercent > 0,
        // The metrics of the API always exist. Metrics for each method are billed as custom metrics.
        metricsEnabled: settings.methodMetrics,
        // Only the gateway's own errors are logged, because its INFO level would log request headers.
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        throttlingRateLimit: settings.throttleRate,
        throttlingBurstLimit: settings.throttleBurst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    // The CDK's class does not support these properties yet. Private APIs always require TLS 1.2 or later.
    if (settings.privateEndpoints === undefined)
      Object.assign(rest.node.defaultChild as CfnRestApi, restTls(settings.tlsPolicy));
    // Removes the CDK's output with the address; the stack's own output has the base address for clients.
    rest.node.tryRemoveChild('Endpoint');
    if (settings.tracePercent > 0) {
      new CfnSamplingRule(this, 'Sampling', {
        samplingRule: {
          ruleName: settings.name,
          version: 1,
          priority: 100,
          // X-Ray's default rule records the first request of each second, which is most of them at a few requests
          // per second.
          reservoirSize: 0,
          fixedRate: settings.tracePercent / 100,
          serviceName: `${settings.name}/${settings.stage}`,
          serviceType: 'AWS::ApiGateway::Stage',
          host: '*',
          httpMethod: '*',
          urlPath: '*',
          resourceArn: '*',
        },
      });
    }
    return rest;
  }

  private addRoutes(): void {
    const { routes, functionOf } = this.props;
    for (const route of routes) {
      const resource = this.rest.root.resourceForPath(route.path);
      const integration = this.integrate(functionOf(route.group));
      if (route.access === 'open') {
        acknowledgeOpen(
          resource.addMethod(route.method, integration, { authorizationType: AuthorizationType.NONE }),
          'Open by design: it holds no data of anybody.',
        );
      } else {
        resource.addMethod(route.method, integration, {
          authorizer: this.authorizer,
          authorizationType: AuthorizationType.CUSTOM,
        });
      }
    }

    const service = this.integrate(functionOf('service'));
    for (const path of new Set(routes.map((route) => route.path))) {
      const resource: Resource = this.rest.root.resourceForPath(path);
      acknowledgeOpen(
        resource.addMethod('ANY', service, { authorizationType: AuthorizationType.NONE }),
        'Responds with 405 and the allowed methods to every caller.',
      );
    }
  }

  /**
   * There is one integration for each function. Its permission covers the whole API, because one for each method
   * would exceed the size of the policy.
   */
  private integrate(target: IFunction): LambdaIntegration {
    const known = this.integrations.get(target);
    if (known !== undefined) return known;
    const integration = new LambdaIntegration(target, {
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: INTEGRATION_TIMEOUT,
      scopePermissionToMethod: false,
    });
    this.integrations.set(target, integration);
    return integration;
  }

  private acknowledgeRules(): void {
    Validations.of(this.rest).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate against the same table the API is made from. The gateway cannot read multipart bodies, and its errors could not name the field.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'Tokens belong to tenants, not to people: they are checked by our own authorizer.',
      },
    );
    if (this.props.settings.webAclArn === undefined || this.props.settings.cloudFront) {
      Validations.of(this.rest).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason:
          'A web ACL costs by the month and its rules are the operator’s: platen:webAclArn attaches one, here or to CloudFront.',
      });
    }
    if (this.props.settings.gatewayAccount) {
      Validations.of(this.rest).acknowledge({
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: 'The policy AWS made for this one role: API Gateway writing logs, on behalf of the account.',
      });
    }
  }
}

/** The endpoint of the API: public, or only the operator's VPC endpoints. */
function endpoint(
  scope: Construct,
  { privateEndpoints }: Settings,
): Pick<RestApiProps, 'endpointConfiguration' | 'policy'> {
  if (privateEndpoints === undefined) {
    return { endpointConfiguration: { types: [EndpointType.REGIONAL] } };
  }
  return {
    endpointConfiguration: {
      types: [EndpointType.PRIVATE],
      vpcEndpoints: privateEndpoints.map((vpcEndpointId) =>
        InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, vpcEndpointId, {
          vpcEndpointId,
          port: 443,
        }),
      ),
    },
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement({
          principals: [new AnyPrincipal()],
          actions: ['execute-api:Invoke'],
          resources: ['execute-api:/*'],
          conditions: { StringEquals: { 'aws:SourceVpce': privateEndpoints } },
        }),
      ],
    }),
  };
}

function acknowledgeOpen(method: Method, reason: string): void {
  Validations.of(method).acknowledge({ id: 'AwsSolutions-APIG4', reason });
}

/**
 * One line for each request, without values that the caller chooses: headers, query and path may contain secrets,
 * or quotes that would break the JSON. The function's log has more data under the same request id.
 */
const ACCESS_LOG = {
  time: AccessLogField.contextRequestTimeEpoch(),
  request_id: AccessLogField.contextRequestId(),
  tenant: AccessLogField.contextAuthorizer('tenant'),
  ip: AccessLogField.contextIdentitySourceIp(),
  method: AccessLogField.contextHttpMethod(),
  resource: AccessLogField.contextResourcePath(),
  protocol: AccessLogField.contextProtocol(),
  status: AccessLogField.contextStatus(),
  bytes: AccessLogField.contextResponseLength(),
  ms: AccessLogField.contextResponseLatency(),
  integration_ms: AccessLogField.contextIntegrationLatency(),
  error: AccessLogField.contextErrorResponseType(),
  trace: AccessLogField.contextXrayTraceId(),
};
