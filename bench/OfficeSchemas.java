import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
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

/**
 * Validates the parts of docx, xlsx and pptx files against the transitional schemas of ECMA-376, which Apache POI contains.
 * Reads paths from standard input, and prints a line for each fault: the path, the part and the fault, separated by tabs.
 */
public class OfficeSchemas {
  /** The namespace of markup compatibility (ECMA-376, part 3). */
  private static final String COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006";
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
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (!entry.getName().matches("(?:word|xl|ppt)/(?!(?:.*/)?_rels/).*\\.xml")) continue;
        for (String fault : part(zip, entry)) System.out.println(path + "\t" + entry.getName() + "\t" + fault);
      }
    }
  }

  private Set<String> part(ZipFile zip, ZipEntry entry) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    Element root;
    try (InputStream stream = zip.getInputStream(entry)) {
      root = factory.newDocumentBuilder().parse(stream).getDocumentElement();
    } catch (org.xml.sax.SAXException fault) {
      return Set.of("XML: " + fault.getMessage());
    }
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
      faults.add(element + ": " + error.getMessage().replaceAll("\\s+", " "));
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
