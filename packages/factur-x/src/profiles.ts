/**
 * The profiles of Factur-X 1.09 (ZUGFeRD 2.5) in ascending order, and XRechnung, which is EN 16931 with
 * German rules.
 */
export const PROFILES = ['minimum', 'basicwl', 'basic', 'en16931', 'extended', 'xrechnung'] as const;
export type Profile = (typeof PROFILES)[number];

interface ProfileFacts {
  /** Specification identifier (BT-24) of written invoices. */
  guideline: string;
  /** Other identifiers of the profile: those of ZUGFeRD 2.0, and those of older versions of XRechnung. */
  alsoKnownAs: RegExp;
  /** `ConformanceLevel` in the XMP of the PDF. */
  level: string;
  /** `Version` in the XMP of the PDF: the version of the standard that defines the profile. */
  version: string;
  /** Name of the embedded file. */
  fileName: string;
  /** Folder of the schema, and the name of its main file. */
  schema: { folder: string; root: string };
}

const EN = 'urn:cen.eu:en16931:2017';

export const PROFILE_FACTS: Readonly<Record<Profile, ProfileFacts>> = {
  minimum: {
    guideline: 'urn:factur-x.eu:1p0:minimum',
    alsoKnownAs: /^urn:zugferd\.de:2p0:minimum$/,
    level: 'MINIMUM',
    version: '1.0',
    fileName: 'factur-x.xml',
    schema: { folder: 'minimum', root: 'Factur-X_MINIMUM.xsd' },
  },
  basicwl: {
    guideline: 'urn:factur-x.eu:1p0:basicwl',
    alsoKnownAs: /^urn:zugferd\.de:2p0:basicwl$/,
    level: 'BASIC WL',
    version: '1.0',
    fileName: 'factur-x.xml',
    schema: { folder: 'basicwl', root: 'Factur-X_BASICWL.xsd' },
  },
  basic: {
    guideline: `${EN}#compliant#urn:factur-x.eu:1p0:basic`,
    alsoKnownAs: /^urn:cen\.eu:en16931:2017#compliant#urn:zugferd\.de:2p0:basic$/,
    level: 'BASIC',
    version: '1.0',
    fileName: 'factur-x.xml',
    schema: { folder: 'basic', root: 'Factur-X_BASIC.xsd' },
  },
  en16931: {
    guideline: EN,
    alsoKnownAs: /^urn:cen\.eu:en16931:2017#compliant#urn:(?:factur-x\.eu:1p0|zugferd\.de:2p0):en16931$/,
    level: 'EN 16931',
    version: '1.0',
    fileName: 'factur-x.xml',
    schema: { folder: 'en16931', root: 'Factur-X_EN16931.xsd' },
  },
  extended: {
    guideline: `${EN}#conformant#urn:factur-x.eu:1p0:extended`,
    alsoKnownAs: /^urn:cen\.eu:en16931:2017#conformant#urn:zugferd\.de:2p0:extended$/,
    level: 'EXTENDED',
    version: '1.0',
    fileName: 'factur-x.xml',
    schema: { folder: 'extended', root: 'Factur-X_EXTENDED.xsd' },
  },
  xrechnung: {
    guideline: `${EN}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`,
    alsoKnownAs: /^urn:cen\.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_[12]\.\d$/,
    level: 'XRECHNUNG',
    version: '3.0',
    fileName: 'xrechnung.xml',
    schema: { folder: 'en16931', root: 'Factur-X_EN16931.xsd' },
  },
};

/** Returns the profile for a specification identifier (BT-24); null if it is unknown. */
export function profileOf(guideline: string): Profile | null {
  return (
    PROFILES.find((profile) => {
      const facts = PROFILE_FACTS[profile];
      return facts.guideline === guideline || facts.alsoKnownAs.test(guideline);
    }) ?? null
  );
}
