import { Duration, Validations } from 'aws-cdk-lib';
import { BasePathMapping, DomainName, EndpointType, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { StudioSite } from './studio-site.ts';
import { restTls } from './tls.ts';

/** The hosted zone of all CloudFront distributions, for alias records. */
const CLOUDFRONT_ZONE = 'Z2FDTNDATAQYW2';
/** The maximum time that CloudFront waits for the next byte without a raised quota. */
const ORIGIN_SECONDS = 60;

export interface FrontProps {
  rest: SpecRestApi;
  settings: Settings;
  /** The folder of the built Studio, which is served if `settings.studio` is set. */
  studio: string | undefined;
  /** The bucket for the Studio's uploads. */
  files: IBucket;
}

/** The front of the API, as the switches configure it: CloudFront, a domain, a web ACL. */
export class Front extends Construct {
  /** The base of clients' addresses, without the version. */
  readonly address: string;

  constructor(scope: Construct, id: string, { rest, settings, studio, files }: FrontProps) {
    super(scope, id);
    if (settings.cloudFront) {
      this.address = this.addDistribution(
        rest,
        settings,
        settings.studio ? this.addStudio(settings, studio, files) : undefined,
      );
      return;
    }
    if (settings.webAclArn !== undefined) {
      new CfnWebACLAssociation(this, 'WebAcl', {
        resourceArn: rest.deploymentStage.stageArn,
        webAclArn: settings.webAclArn,
      });
    }
    this.address = this.addDomain(rest, settings) ?? rest.urlForPath('/').replace(/\/$/, '');
  }

  private addDomain(
    rest: SpecRestApi,
    { domainName, certificateArn = '', tlsPolicy, ...settings }: Settings,
  ): string | undefined {
    if (domainName === undefined) return undefined;
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...restTls(tlsPolicy),
    });
    new BasePathMapping(this, 'Mapping', { domainName: domain, restApi: rest, stage: rest.deploymentStage });
    this.addRecord(
      settings.hostedZoneId,
      domainName,
      {
        dnsName: domain.domainNameAliasDomainName,
        hostedZoneId: domain.domainNameAliasHostedZoneId,
      },
      ['A'],
    );
    return `https://${domainName}`;
  }

  private addDistribution(rest: SpecRestApi, settings: Settings, site: StudioSite | undefined): string {
    const { domainName, certificateArn, webAclArn } = settings;
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Platen: ${settings.name}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        // The stage is in the path of the origin and not in that of the distribution, so addresses in responses
        // omit it.
        origin: new RestApiOrigin(rest, {
          readTimeout: Duration.seconds(ORIGIN_SECONDS),
          customHeaders: { 'X-Forwarded-Prefix': '/' },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        // Responses depend on the token, which is one of the forwarded headers, so nothing is cached.
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      ...(site === undefined ? {} : { additionalBehaviors: site.behaviors }),
      ...(domainName === undefined || certificateArn === undefined
        ? {}
        : {
            domainNames: [domainName],
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
          }),
      ...(webAclArn === undefined ? {} : { webAclId: webAclArn }),
    });
    acknowledgeDistribution(distribution, settings);
    if (domainName === undefined) return `https://${distribution.distributionDomainName}`;
    this.addRecord(
      settings.hostedZoneId,
      domainName,
      {
        dnsName: distribution.distributionDomainName,
        hostedZoneId: CLOUDFRONT_ZONE,
      },
      ['A', 'AAAA'],
    );
    return `https://${domainName}`;
  }

  private addStudio(
    { name, embedOrigins }: Settings,
    folder: string | undefined,
    files: IBucket,
  ): StudioSite {
    if (folder === undefined) throw new Error('platen:studio is set, but the Studio is not built.');
    return new StudioSite(this, 'Studio', { folder, name, files, embedOrigins });
  }

  private addRecord(
    hostedZoneId: string | undefined,
    name: string,
    aliasTarget: CfnRecordSet.AliasTargetProperty,
    types: readonly string[],
  ): void {
    if (hostedZoneId === undefined) return;
    for (const type of types)
      new CfnRecordSet(this, `Record${type}`, { hostedZoneId, name: `${name}.`, type, aliasTarget });
  }
}

function acknowledgeDistribution(distribution: Distribution, { domainName, webAclArn }: Settings): void {
  const reasons: [string, string][] = [
    ['AwsSolutions-CFR1', 'Who may call is decided by tokens, not by countries.'],
    ['AwsSolutions-CFR3', 'The access log of the API has a line for each request, with its tenant.'],
  ];
  if (webAclArn === undefined)
    reasons.push([
      'AwsSolutions-CFR2',
      'The rules of a web ACL are the operator’s: platen:webAclArn attaches one.',
    ]);
  if (domainName === undefined)
    reasons.push([
      'AwsSolutions-CFR4',
      'CloudFront’s own name comes with CloudFront’s own certificate and policy.',
    ]);
  for (const [id, reason] of reasons) Validations.of(distribution).acknowledge({ id, reason });
}
