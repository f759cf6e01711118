import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.mustangproject.validator.ZUGFeRDValidator;

/** Prints Mustang's report of each file that is named on the standard input. */
public class Judge {
  public static void main(String[] arguments) throws Exception {
    BufferedReader names = new BufferedReader(new InputStreamReader(System.in));
    for (String name = names.readLine(); name != null; name = names.readLine()) {
      ZUGFeRDValidator validator = new ZUGFeRDValidator();
      String report = validator.validate(name);
      System.out.println("FILE " + name + " " + validator.wasCompletelyValid());
      System.out.println(report);
      System.out.println("END");
    }
  }
}
