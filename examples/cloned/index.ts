// What stack config says of this stack comes first: it changes what follows.
import { settings } from "./settings";
import "./environments";
import "./api-keys";
import "./webhooks";
import "./encryption-keys";
import "./rule-sets";

export * from "./outputs";

settings.assertUsed();
