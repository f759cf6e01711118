import { Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  type CfnRestApi,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApiMode,
  SpecRestApi,
  type SpecRestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';
import type { FunctionGroup, Route } from '@platen/contract/route';
import type { LogSettings } from '../log-settings.ts';
import type { Settings } from '../settings.ts';
import { apiDefinition, type ApiOperation, functionIntegration, otherMethods } from './api-definition.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { restTls } from './tls.ts';

/** Documents are streamed, so the gateway uses its maximum timeout (I-35). */
const INTEGRATION_SECONDS = 15 * 60;
/** The time for which a revoked token may still be accepted. */
const AUTHORIZER_CACHE_SECONDS = 5 * 60;

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
  readonly rest: SpecRestApi;
  private readonly props: PlatenApiProps;

  constructor(scope: Construct, id: string, props: PlatenApiProps) {
    super(scope, id);
    this.props = props;
    this.rest = this.createApi();
    this.permitCalls();
    if (props.settings.tracePercent > 0) this.createSamplingRule();
    this.acknowledgeRules();
  }

  private createApi(): SpecRestApi {
    const { settings, log } = this.props;
    const accessLog = new LogGroup(this, 'AccessLog', log);
    const rest = new SpecRestApi(this, 'Rest', {
      restApiName: settings.name,
      apiDefinition: ApiDefinition.fromInline(this.definition()),
      // Methods that a release no longer has would stay otherwise. An import replaces the settings of the API as well,
      // so the document repeats those that are properties here.
      mode: RestApiMode.OVERWRITE,
      ...endpoint(this, settings),
      binaryMediaTypes: BINARY,
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
    // The CDK's class does not support these properties yet.
    Object.assign(rest.node.defaultChild as CfnRestApi, minimumTls(settings));
    // Removes the CDK's output with the address; the stack's own output has the base address for clients.
    rest.node.tryRemoveChild('Endpoint');
    return rest;
  }

  private definition(): object {
    const { routes, functionOf, authorizer, settings } = this.props;
    const { securityPolicy, endpointAccessMode } = minimumTls(settings);
    const ofRoutes: ApiOperation[] = routes.map(({ path, method, group, access }) => ({
      path,
      method,
      integration: functionIntegration(functionOf(group), { seconds: INTEGRATION_SECONDS, mode: 'STREAM' }),
      guarded: access !== 'open',
    }));
    const byPath = Map.groupBy(routes, ({ path }) => path);
    return apiDefinition({
      title: settings.name,
      description: 'Platen: templates in, documents out',
      operations: [
        ...ofRoutes,
        ...Array.from(byPath, ([path, own]) =>
          otherMethods(
            path,
            own.map(({ method }) => method),
          ),
        ),
      ],
      authorizer: { function: authorizer, cacheSeconds: AUTHORIZER_CACHE_SECONDS },
      extensions: {
        'x-amazon-apigateway-binary-media-types': BINARY,
        'x-amazon-apigateway-gateway-responses': gatewayResponses(settings),
        ...(settings.privateEndpoints === undefined
          ? {}
          : { 'x-amazon-apigateway-policy': onlyThrough(settings.privateEndpoints).toJSON() as unknown }),
        ...(securityPolicy === undefined ? {} : { 'x-amazon-apigateway-security-policy': securityPolicy }),
        ...(endpointAccessMode === undefined
          ? {}
          : { 'x-amazon-apigateway-endpoint-access-mode': endpointAccessMode }),
      },
      vpcEndpoints: settings.privateEndpoints,
    });
  }

  /**
   * Lets the API call its functions. There is one permission for each, for the whole API, because one for each
   * method would exceed the size of the policy.
   */
  private permitCalls(): void {
    const { routes, functionOf, authorizer } = this.props;
    const principal = new ServicePrincipal('apigateway.amazonaws.com');
    const permit = (target: IFunction, name: string, sourceArn: string): void => {
      target.addPermission(name, { principal, sourceArn });
      // The API is deployed when it may call its functions.
      this.rest.latestDeployment?.node.addDependency(target.permissionsNode.findChild(name));
    };
    for (const target of new Set(routes.map(({ group }) => functionOf(group))))
      permit(target, 'Api', this.rest.arnForExecuteApi());
    // The import names the authorizer.
    const authorizers = {
      service: 'execute-api',
      resource: this.rest.restApiId,
      resourceName: 'authorizers/*',
    };
    permit(authorizer, 'Authorizer', Stack.of(this).formatArn(authorizers));
  }

  private createSamplingRule(): void {
    const { settings } = this.props;
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

  private acknowledgeRules(): void {
    Validations.of(this.rest).acknowledge({
      id: 'AwsSolutions-APIG2',
      reason:
        'The functions validate against the same table the API is made from. The gateway cannot read multipart bodies, and its errors could not name the field.',
    });
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

/** With this setting, uploads reach the functions unchanged, byte for byte. */
const BINARY = ['*/*'];

/** The endpoint of the API: public, or only the operator's VPC endpoints. */
function endpoint(
  scope: Construct,
  { privateEndpoints }: Settings,
): Pick<SpecRestApiProps, 'endpointConfiguration' | 'parameters' | 'policy'> {
  if (privateEndpoints === undefined) {
    return {
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
    };
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
    parameters: { endpointConfigurationTypes: EndpointType.PRIVATE },
    policy: onlyThrough(privateEndpoints),
  };
}

function onlyThrough(endpoints: readonly string[]): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['execute-api:Invoke'],
        resources: ['execute-api:/*'],
        conditions: { StringEquals: { 'aws:SourceVpce': endpoints } },
      }),
    ],
  });
}

/** Private APIs always require TLS 1.2 or later. */
function minimumTls({ privateEndpoints, tlsPolicy }: Settings): ReturnType<typeof restTls> {
  return privateEndpoints === undefined ? restTls(tlsPolicy) : {};
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
