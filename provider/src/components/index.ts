import type { ComponentDefinition } from "../definition/define-component";
import { RotatingApiKey } from "./rotating-api-key";

/** Every component. */
export const COMPONENTS: readonly ComponentDefinition[] = [RotatingApiKey];
