import { kindOfType } from "@devid/pulumi/state";
import { z } from "zod";
import { definePolicy } from "../define-policy";

/** An encryption key has the option `protect`, so that nobody removes it from the program by accident. */
export const encryptionKeyProtected = definePolicy({
  name: "encryption-key-protected",
  description: "An encryption key must be protected from deletion.",
  config: z.strictObject({}),
  appliesTo: (type) => kindOfType(type) === "EncryptionKey",
  check({ resource, report }) {
    if (!resource.isProtected)
      report.violation(
        "The encryption key is not protected: removing it from the program would give it back and take the status that was set. Declare it with the resource option protect: true.",
      );
  },
});
