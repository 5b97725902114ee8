import { resolve } from "node:path";
import { versionOf } from "../require-installed";
import {
  resourceClass as classOver,
  type Adapter,
  type ResourceClass,
  type ResourceSpec,
} from "../resource-class";
import { pluginType, resourceType } from "../../definition/engine-names";

/** Version of this package: the engine starts a plugin of the same version. */
export const VERSION = versionOf(resolve(__dirname, "../../.."));

/** The provider plugin manages the resources. */
const ADAPTER: Adapter = {
  typeOf: pluginType,
  otherTypeOf: resourceType,
  options: (_spec, _inputs, { version = VERSION }) => ({ version }),
};

/** The class of a kind's resources. */
export const resourceClass = <R, Args extends object>(
  spec: ResourceSpec<Args>,
): ResourceClass<R, Args> => classOver(spec, ADAPTER);
