/**
 * The properties that PDF/A-2 and PDF/A-3 permit without a description: those of XMP of September 2005 (ISO
 * 19005-2, 6.6.2.3.1).
 */

/** A structured type: the namespace of its fields, and the type of each by its name. */
export interface Structure {
  namespace: string;
  fields: ReadonlyMap<string, string>;
}

/**
 * Types by name from a list such as `title, rights: lang alt; creator: seq text`.
 */
function typed(list: string): Map<string, string> {
  const entries = list.split(';').flatMap((part) => {
    const [names = '', type = ''] = part.split(':');
    return names.split(',').map((name): [string, string] => [name.trim(), type.trim()]);
  });
  return new Map(entries.filter(([name]) => name !== ''));
}

const ADOBE = 'http://ns.adobe.com';
const TYPES = `${ADOBE}/xap/1.0/sType`;
const EXIF = `${ADOBE}/exif/1.0/`;
const MEDIA = `${ADOBE}/xmp/1.0/DynamicMedia/`;

/** Properties by the namespace of their schema. */
export const SCHEMAS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({
    'http://www.aiim.org/pdfa/ns/id/': 'part: integer; amd, corr, conformance: text',
    'http://purl.org/dc/elements/1.1/': `contributor, publisher, relation, subject, type: bag text;
      coverage, identifier, source: text; creator: seq text; date: seq date; description, rights, title: lang alt;
      format: mimetype; language: bag locale`,
    [`${ADOBE}/xap/1.0/`]: `Advisory, Identifier: bag text; BaseURL: url; CreateDate, MetadataDate, ModifyDate: date;
      CreatorTool, Label, Nickname: text; Rating: real; Thumbnails: alt thumbnail`,
    [`${ADOBE}/xap/1.0/rights/`]: `Certificate, WebStatement: url; Marked: boolean; Owner: bag text;
      UsageTerms: lang alt`,
    [`${ADOBE}/xap/1.0/mm/`]: `DerivedFrom, ManagedFrom, RenditionOf: resourceref; DocumentID, InstanceID: uri;
      History: seq resourceevent; ManageTo, ManageUI: uri; LastURL: url; SaveID: integer; Versions: seq version;
      Manager, ManagerVariant, RenditionClass, RenditionParams, VersionID: text`,
    [`${ADOBE}/xap/1.0/bj/`]: 'JobRef: bag job',
    [`${ADOBE}/xap/1.0/t/pg/`]: `MaxPageSize: dimensions; NPages: integer; Fonts: bag font; Colorants: seq colorant;
      PlateNames: seq text`,
    [`${ADOBE}/pdf/1.3/`]: 'Keywords, PDFVersion, Producer: text',
    [`${ADOBE}/photoshop/1.0/`]: `AuthorsPosition, CaptionWriter, Category, City, Country, Credit, Headline: text;
      Instructions, Source, State, TransmissionReference: text; DateCreated: date; Urgency: integer;
      SupplementalCategories: bag text`,
    [`${ADOBE}/camera-raw-settings/1.0/`]: `AutoBrightness, AutoContrast, AutoExposure, AutoShadows: boolean;
      HasCrop, HasSettings: boolean; CameraProfile, RawFileName, ToneCurveName, Version, WhiteBalance: text;
      CropTop, CropLeft, CropBottom, CropRight, CropAngle, CropWidth, CropHeight, Exposure: real;
      BlueHue, BlueSaturation, Brightness, ChromaticAberrationB, ChromaticAberrationR, ColorNoiseReduction: integer;
      Contrast, CropUnits, GreenHue, GreenSaturation, LuminanceSmoothing, RedHue, RedSaturation: integer;
      Saturation, Shadows, ShadowTint, Sharpness, Temperature, Tint, VignetteAmount, VignetteMidpoint: integer;
      ToneCurve: seq text`,
    [`${ADOBE}/tiff/1.0/`]: `ImageWidth, ImageLength, SamplesPerPixel, Compression, PhotometricInterpretation: integer;
      Orientation, PlanarConfiguration, YCbCrPositioning, ResolutionUnit: integer;
      BitsPerSample, TransferFunction, YCbCrSubSampling: seq integer; XResolution, YResolution: rational;
      WhitePoint, PrimaryChromaticities, YCbCrCoefficients, ReferenceBlackWhite: seq rational; DateTime: date;
      ImageDescription, Copyright: lang alt; Make, Model, Software, Artist: text`,
    [EXIF]: `CompressedBitsPerPixel, ExposureTime, FNumber, ShutterSpeedValue, ApertureValue: rational;
      BrightnessValue, ExposureBiasValue, MaxApertureValue, SubjectDistance, FocalLength, FlashEnergy: rational;
      FocalPlaneXResolution, FocalPlaneYResolution, ExposureIndex, DigitalZoomRatio: rational;
      GPSAltitude, GPSDOP, GPSSpeed, GPSTrack, GPSImgDirection, GPSDestBearing, GPSDestDistance: rational;
      PixelXDimension, PixelYDimension, FocalLengthIn35mmFilm, ExposureProgram, MeteringMode: integer;
      FocalPlaneResolutionUnit, SensingMethod, FileSource, SceneType, CustomRendered, ExposureMode: integer;
      WhiteBalance, SceneCaptureType, GainControl, Contrast, Saturation, Sharpness: integer;
      SubjectDistanceRange, GPSAltitudeRef, GPSDifferential, ColorSpace, LightSource: integer;
      ISOSpeedRatings, SubjectArea, SubjectLocation, ComponentsConfiguration: seq integer; UserComment: lang alt;
      DateTimeOriginal, DateTimeDigitized, GPSTimeStamp: date; OECF, SpatialFrequencyResponse: oecf/sfr;
      Flash: flash; CFAPattern: cfapattern; DeviceSettingDescription: devicesettings;
      GPSLatitude, GPSLongitude, GPSDestLatitude, GPSDestLongitude: gpscoordinate;
      ExifVersion, FlashpixVersion, RelatedSoundFile, SpectralSensitivity, ImageUniqueID, GPSVersionID: text;
      GPSSatellites, GPSMapDatum, GPSProcessingMethod, GPSAreaInformation, GPSMeasureMode, GPSStatus: text;
      GPSSpeedRef, GPSTrackRef, GPSImgDirectionRef, GPSDestBearingRef, GPSDestDistanceRef: text`,
    [`${EXIF}aux/`]: 'Lens, SerialNumber: text',
    [MEDIA]: `projectRef: projectlink; videoFrameSize: dimensions; videoAlphaPremultipleColor: colorant;
      videoPixelAspectRatio, fileDataRate: rational; videoAlphaUnityIsTransparent, loop: boolean;
      audioSampleRate, trackNumber: integer; startTimecode, altTimecode: timecode;
      duration, introTime, outCue, relativeTimestamp: time; markers: seq marker; contributedMedia: bag media;
      absPeakAudioFilePath, relativePeakAudioFilePath: uri; numberOfBeats, tempo: real;
      shotDate, videoModDate, audioModDate, metadataModDate, releaseDate: date;
      timeScaleParams: timescalestretch; resampleParams: resamplestretch; beatSpliceParams: beatsplicestretch;
      videoFrameRate, videoCompressor, videoPixelDepth, videoColorSpace, videoAlphaMode, videoFieldOrder: text;
      audioCompressor, audioSampleType, audioChannelType, speakerPlacement, tapeName, altTapeName: text;
      scene, shotName, shotLocation, logComment, artist, album, genre, copyright, composer, engineer: text;
      instrument, pullDown, key, stretchMode, timeSignature, scaleType: text`,
  }).map(([namespace, list]) => [namespace, typed(list)]),
);

/** The structured types of those properties, by name. */
export const STRUCTURES: ReadonlyMap<string, Structure> = new Map(
  (
    [
      ['dimensions', `${TYPES}/Dimensions#`, 'w, h: real; unit: text'],
      ['thumbnail', `${ADOBE}/xap/1.0/g/img/`, 'height, width: integer; image, format: text'],
      [
        'resourceevent',
        `${TYPES}/ResourceEvent#`,
        'action, parameters, softwareAgent: text; instanceID: uri; when: date',
      ],
      [
        'resourceref',
        `${TYPES}/ResourceRef#`,
        `instanceID, documentID, manageTo, manageUI: uri;
         versionID, renditionClass, renditionParams, manager, managerVariant: text`,
      ],
      [
        'version',
        `${TYPES}/Version#`,
        'comments, modifier, version: text; event: resourceevent; modifyDate: date',
      ],
      ['job', `${TYPES}/Job#`, 'name, id: text; url: url'],
      [
        'font',
        `${TYPES}/Font#`,
        `fontName, fontFamily, fontFace, fontType, versionString, fontFileName: text; composite: boolean;
         childFontFiles: seq text`,
      ],
      [
        'colorant',
        `${ADOBE}/xap/1.0/g/`,
        'swatchName, mode, type: text; cyan, magenta, yellow, black, L: real; red, green, blue, A, B: integer',
      ],
      ['flash', EXIF, 'Fired, Function, RedEyeMode: boolean; Return, Mode: text'],
      ['oecf/sfr', EXIF, 'Columns, Rows: integer; Names: seq text; Values: seq rational'],
      ['cfapattern', EXIF, 'Columns, Rows: integer; Values: seq integer'],
      ['devicesettings', EXIF, 'Columns, Rows: integer; Settings: seq text'],
      [
        'beatsplicestretch',
        MEDIA,
        'useFileBeatsMarker: boolean; riseInDecibel: real; riseInTimeDuration: time',
      ],
      ['marker', MEDIA, 'startTime, duration: any; comment, name, target, type: text; location: uri'],
      ['media', MEDIA, 'path, webStatement: uri; track: text; startTime, duration: time; managed: boolean'],
      ['projectlink', MEDIA, 'path: uri; type: text'],
      ['resamplestretch', MEDIA, 'quality: text'],
      ['time', MEDIA, 'value: integer; scale: rational'],
      ['timecode', MEDIA, 'timeValue, timeFormat: text'],
      ['timescalestretch', MEDIA, 'frameSize, frameOverlappingPercentage: real; quality: text'],
    ] as const
  ).map(([name, namespace, list]) => [name, { namespace, fields: typed(list) }]),
);
