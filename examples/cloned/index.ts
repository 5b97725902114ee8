// What stack config says of this stack comes first: it changes what follows.
import { settings } from "./settings";
import { knownOutputs } from "@devid/pulumi";
import "./environments";
import "./api-keys";
import "./webhooks";
import "./encryption-keys";
import "./rule-sets";
import * as outputs from "./outputs";

settings.assertUsed();

// Outputs without a value are left out. More of them can stand beside `...outputs`.
export = knownOutputs({ ...outputs });
