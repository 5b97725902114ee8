import { inject } from "vitest";
import type { Form } from "./program-form";

declare module "vitest" {
  interface ProvidedContext {
    forms: readonly Form[];
  }
}

/**
 * The forms in which a file `*.forms.e2e.test.ts` plays its stories on the engine: the
 * dynamic one in `npm test`, the plugin's in `npm run test:deep`.
 */
export const FORMS_OF_TIER = inject("forms");
