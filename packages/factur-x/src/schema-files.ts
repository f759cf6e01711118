/**
 * Paths of the schemas of Factur-X 1.09 in `schemas/`. The functions that validate invoices contain these
 * files.
 */
export const SCHEMA_FILES = [
  'basic/Factur-X_1.09_BASIC_urn_un_unece_uncefact_data_standard_QualifiedDataType_100.xsd',
  'basic/Factur-X_1.09_BASIC_urn_un_unece_uncefact_data_standard_ReusableAggregateBusinessInformationEntity_100.xsd',
  'basic/Factur-X_1.09_BASIC_urn_un_unece_uncefact_data_standard_UnqualifiedDataType_100.xsd',
  'basic/Factur-X_BASIC.xsd',
  'basicwl/Factur-X_1.09_BASICWL_urn_un_unece_uncefact_data_standard_QualifiedDataType_100.xsd',
  'basicwl/Factur-X_1.09_BASICWL_urn_un_unece_uncefact_data_standard_ReusableAggregateBusinessInformationEntity_100.xsd',
  'basicwl/Factur-X_1.09_BASICWL_urn_un_unece_uncefact_data_standard_UnqualifiedDataType_100.xsd',
  'basicwl/Factur-X_BASICWL.xsd',
  'en16931/Factur-X_1.09_EN16931_urn_un_unece_uncefact_data_standard_QualifiedDataType_100.xsd',
  'en16931/Factur-X_1.09_EN16931_urn_un_unece_uncefact_data_standard_ReusableAggregateBusinessInformationEntity_100.xsd',
  'en16931/Factur-X_1.09_EN16931_urn_un_unece_uncefact_data_standard_UnqualifiedDataType_100.xsd',
  'en16931/Factur-X_EN16931.xsd',
  'extended/Factur-X_1.09.2_EXTENDED_urn_un_unece_uncefact_data_standard_ReusableAggregateBusinessInformationEntity_100.xsd',
  'extended/Factur-X_1.09_EXTENDED_urn_un_unece_uncefact_data_standard_QualifiedDataType_100.xsd',
  'extended/Factur-X_1.09_EXTENDED_urn_un_unece_uncefact_data_standard_UnqualifiedDataType_100.xsd',
  'extended/Factur-X_EXTENDED.xsd',
  'minimum/Factur-X_1.09_MINIMUM_urn_un_unece_uncefact_data_standard_QualifiedDataType_100.xsd',
  'minimum/Factur-X_1.09_MINIMUM_urn_un_unece_uncefact_data_standard_ReusableAggregateBusinessInformationEntity_100.xsd',
  'minimum/Factur-X_1.09_MINIMUM_urn_un_unece_uncefact_data_standard_UnqualifiedDataType_100.xsd',
  'minimum/Factur-X_MINIMUM.xsd',
] as const;
