/**
 * Names of filters of the service's Jinja2 and Liquid, for completion without loading the interpreters; a
 * test compares them.
 */
export const JINJA_FILTERS: readonly string[] = (
  'abs attr barcode batch capitalize center count d default dictsort e escape filesizeformat first ' +
  'float forceescape format groupby indent int items join last length list lower map max min pprint ' +
  'qrcode random reject rejectattr replace reverse round safe select selectattr slice sort string ' +
  'striptags sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap xmlattr'
).split(' ');

export const LIQUID_FILTERS: readonly string[] = (
  'abs append array_to_sentence_string at_least at_most barcode base64_decode base64_encode capitalize ' +
  'ceil cgi_escape compact concat date date_to_long_string date_to_rfc822 date_to_string ' +
  'date_to_xmlschema default divided_by downcase escape escape_once find find_exp find_index ' +
  'find_index_exp first floor group_by group_by_exp has has_exp hmac_sha256 inspect join json jsonify ' +
  'last lstrip map minus modulo newline_to_br normalize_whitespace number_of_words plus pop prepend ' +
  'push qrcode raw reject reject_exp remove remove_first remove_last replace replace_first replace_last ' +
  'reverse round rstrip sample sha256 shift size slice slugify sort sort_natural split squish strip ' +
  'strip_html strip_newlines sum times to_integer truncate truncatewords uniq unshift upcase uri_escape ' +
  'url_decode url_encode where where_exp xml_escape'
).split(' ');
