import { knownOutputs } from "@devid/pulumi";
import "./environments";
import "./api-keys";
import "./webhooks";
import "./encryption-keys";
import "./rule-sets";
import * as outputs from "./outputs";

// Outputs without a value are left out. More of them can stand beside `...outputs`.
export = knownOutputs({ ...outputs });
