/** Names of files, and the rules for them. */

export { baseName, fileName, safeName, sameFileKey } from '../file-name.ts';
export { codeOf, nameFault, pathFault, quoted } from '../name-fault.ts';
