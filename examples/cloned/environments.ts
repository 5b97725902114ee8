// The environments of the workspace.
import * as devid from "@devid/pulumi";

export const staging = new devid.Environment("staging", {
  name: "Staging",
  description: "The shop before each release.",
});
