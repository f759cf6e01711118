/** The part of asl-validator (whose types are not found from an ES module) that is used here. It completes what it is given. */
declare module 'asl-validator' {
  export default function validate(
    definition: object,
    options: { checkPaths: boolean; checkArn: boolean },
  ): { isValid: boolean; errors: unknown[] };
}
