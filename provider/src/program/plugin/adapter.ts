import { resolve } from "node:path";
import { versionOf } from "../require-installed";
import type { Adapter } from "../resource-class";
import { pluginType, resourceType } from "../../definition/engine-names";

/** Version of this package: the engine starts a plugin of the same version. */
export const VERSION = versionOf(resolve(__dirname, "../../.."));

/** The provider plugin manages the resources. */
export const ADAPTER: Adapter = {
  typeOf: pluginType,
  otherTypeOf: resourceType,
  options: (_spec, _inputs, { version = VERSION }) => ({ version }),
};
