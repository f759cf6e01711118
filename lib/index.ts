/** Exports Platen for other CDK apps (docs/deploy.md). */

export { type Artifacts, buildArtifacts, type BuiltArtifacts } from './artifacts/index.ts';
export { PlatenService, type PlatenServiceProps } from './platen-service.ts';
export { type Settings, SwitchError, type Switches } from './settings.ts';
