import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.xmlbeans.SchemaTypeLoader;
import org.apache.xmlbeans.SchemaTypeSystem;
import org.apache.xmlbeans.XmlBeans;
import org.apache.xmlbeans.XmlCursor;
import org.apache.xmlbeans.XmlError;
import org.apache.xmlbeans.XmlObject;
import org.apache.xmlbeans.XmlOptions;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Validates docx, xlsx and pptx files: their parts against the transitional schemas of ECMA-376, which Apache POI contains,
 * and their content types and relationships against the parts (ECMA-376, part 2).
 * Reads paths from standard input, and prints a line for each fault: the path, the part and the fault, separated by tabs.
 */
public class OfficeSchemas {
  /** The namespace of markup compatibility (ECMA-376, part 3). */
  private static final String COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006";
  private static final String RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final String TYPES = "[Content_Types].xml";
  private static final String SCHEMAS = "org.apache.poi.schemas.ooxml.system.ooxml.TypeSystemHolder";

  private final SchemaTypeLoader schemas;

  private OfficeSchemas() throws ReflectiveOperationException {
    SchemaTypeSystem ooxml = (SchemaTypeSystem) Class.forName(SCHEMAS).getField("typeSystem").get(null);
    schemas = XmlBeans.typeLoaderUnion(ooxml, XmlBeans.getBuiltinTypeSystem());
  }

  public static void main(String[] arguments) throws Exception {
    OfficeSchemas validator = new OfficeSchemas();
    BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path = paths.readLine(); path != null; path = paths.readLine()) validator.file(path);
  }

  private void file(String path) throws Exception {
    try (ZipFile zip = new ZipFile(path)) {
      Map<String, Element> parts = new LinkedHashMap<>();
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (entry.isDirectory() || parts.containsKey(name)) continue;
        try {
          parts.put(name, name.matches("(?i).*\\.(?:xml|rels)") ? rootOf(zip, entry) : null);
        } catch (org.xml.sax.SAXException fault) {
          parts.put(name, null);
          print(path, name, "XML: " + fault.getMessage());
        }
      }
      for (String fault : typeFaults(parts)) print(path, TYPES, fault);
      for (Map.Entry<String, Element> part : parts.entrySet()) {
        String name = part.getKey();
        if (part.getValue() == null || name.equalsIgnoreCase(TYPES)) continue;
        boolean relates = name.matches("(?:.*/)?_rels/[^/]*\\.rels");
        Set<String> faults = relates ? targetFaults(name, part.getValue(), parts) : faultsOf(name, part.getValue(), parts);
        for (String fault : faults) print(path, name, fault);
      }
    }
  }

  private static void print(String path, String part, String fault) {
    System.out.println(path + "\t" + part + "\t" + fault.replaceAll("\\s+", " "));
  }

  private static Element rootOf(ZipFile zip, ZipEntry entry) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    javax.xml.parsers.DocumentBuilder builder = factory.newDocumentBuilder();
    builder.setErrorHandler(null);
    try (InputStream stream = zip.getInputStream(entry)) {
      return builder.parse(stream).getDocumentElement();
    }
  }

  /** Returns parts without a content type, and content types without a part. */
  private static Set<String> typeFaults(Map<String, Element> parts) {
    Set<String> faults = new LinkedHashSet<>();
    Set<String> typed = new HashSet<>();
    Element types = null;
    for (String name : parts.keySet()) if (name.equalsIgnoreCase(TYPES)) types = parts.get(name);
    for (Element type : children(types)) {
      String name = type.getAttribute("PartName");
      typed.add(name.isEmpty() ? "." + type.getAttribute("Extension").toLowerCase() : name);
      if (!name.isEmpty() && !parts.containsKey(name.substring(1))) faults.add("a type without a part");
    }
    for (String name : parts.keySet()) {
      String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase();
      if (!name.equalsIgnoreCase(TYPES) && !typed.contains("/" + name) && !typed.contains("." + ending))
        faults.add("a part without a type: " + ending);
    }
    return faults;
  }

  /** Returns relationships without an id of their own, and those to parts that are missing. */
  private static Set<String> targetFaults(String name, Element root, Map<String, Element> parts) {
    Set<String> faults = new LinkedHashSet<>();
    Set<String> ids = new HashSet<>();
    java.net.URI source = java.net.URI.create("/" + name.replaceFirst("_rels/[^/]*$", "").replace(" ", "%20"));
    for (Element relation : children(root)) {
      String type = relation.getAttribute("Type").replaceFirst(".*/", "");
      if (!ids.add(relation.getAttribute("Id"))) faults.add("two relationships with one id: " + type);
      if (relation.getAttribute("TargetMode").equals("External")) continue;
      String target = relation.getAttribute("Target").replaceFirst("#.*", "").replace(" ", "%20");
      String path = source.resolve(target).normalize().getPath().substring(1);
      if (!target.isEmpty() && !parts.containsKey(path)) faults.add("a relationship to a missing part: " + type);
    }
    return faults;
  }

  /** Returns references to relationships that are missing, and faults by the schemas. */
  private Set<String> faultsOf(String name, Element root, Map<String, Element> parts) throws Exception {
    Set<String> ids = new HashSet<>();
    String relations = name.replaceFirst("([^/]*)$", "_rels/$1.rels");
    for (Element relation : children(parts.get(relations))) ids.add(relation.getAttribute("Id"));
    Set<String> faults = new LinkedHashSet<>();
    NodeList all = root.getElementsByTagName("*");
    for (int at = -1; at < all.getLength(); at++) {
      NamedNodeMap attributes = (at < 0 ? root : all.item(at)).getAttributes();
      for (int index = 0; index < attributes.getLength(); index++) {
        Node attribute = attributes.item(index);
        boolean refers = RELATIONSHIPS.equals(attribute.getNamespaceURI()) && !attribute.getNodeValue().isEmpty();
        if (refers && !ids.contains(attribute.getNodeValue()))
          faults.add("a missing relationship: " + attribute.getNodeName() + " of " + (at < 0 ? root : all.item(at)).getNodeName());
      }
    }
    faults.addAll(schemaFaults(root));
    return faults;
  }

  private static List<Element> children(Element parent) {
    List<Element> found = new ArrayList<>();
    Node first = parent == null ? null : parent.getFirstChild();
    for (Node node = first; node != null; node = node.getNextSibling()) if (node instanceof Element) found.add((Element) node);
    return found;
  }

  private Set<String> schemaFaults(Element root) throws Exception {
    understood(root, Set.of());
    XmlObject document = schemas.parse(root, null, new XmlOptions());
    Set<String> faults = new LinkedHashSet<>();
    // Parts of later versions have schemas of their own.
    if (document.schemaType().equals(XmlObject.type)) return faults;
    List<XmlError> errors = new ArrayList<>();
    document.validate(new XmlOptions().setErrorListener(errors));
    for (XmlError error : errors) {
      XmlCursor cursor = error.getCursorLocation();
      String element = cursor != null && cursor.isStart() ? cursor.getName().getLocalPart() : "";
      faults.add(element + ": " + error.getMessage());
    }
    return faults;
  }

  /** Leaves what a reader of ECMA-376 alone understands: the fallbacks, without what may be ignored. */
  private static void understood(Element element, Set<String> outer) {
    Set<String> ignored = new HashSet<>(outer);
    for (String prefix : element.getAttributeNS(COMPATIBILITY, "Ignorable").trim().split("\\s+")) {
      String namespace = prefix.isEmpty() ? null : element.lookupNamespaceURI(prefix);
      if (namespace != null) ignored.add(namespace);
    }
    NamedNodeMap attributes = element.getAttributes();
    for (int index = attributes.getLength() - 1; index >= 0; index--) {
      Attr attribute = (Attr) attributes.item(index);
      String namespace = attribute.getNamespaceURI();
      if (ignored.contains(namespace) || COMPATIBILITY.equals(namespace)) element.removeAttributeNode(attribute);
    }
    Node next;
    for (Node node = element.getFirstChild(); node != null; node = next) {
      next = node.getNextSibling();
      if (!(node instanceof Element)) continue;
      Element child = (Element) node;
      boolean isChoice = COMPATIBILITY.equals(child.getNamespaceURI()) && child.getLocalName().equals("AlternateContent");
      if (isChoice) next = replacedByFallback(element, child);
      else if (ignored.contains(child.getNamespaceURI())) element.removeChild(child);
      else understood(child, ignored);
    }
  }

  /** Returns the node to go on with: the first one of the fallback. */
  private static Node replacedByFallback(Element parent, Element choice) {
    Node after = choice.getNextSibling();
    Node first = after;
    for (Node node = choice.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Element) || !node.getLocalName().equals("Fallback")) continue;
      while (node.getFirstChild() != null) {
        Node moved = parent.insertBefore(node.getFirstChild(), choice);
        if (first == after) first = moved;
      }
    }
    parent.removeChild(choice);
    return first;
  }
}
