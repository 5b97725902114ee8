import { Lifecycle } from "../../provider/src/lifecycle/lifecycle";
import * as registry from "../../provider/src/registry";
import type { Kind } from "../helpers/dynamic-host";

/** The lifecycle of a kind, as the adapters make it. */
export function lifecycleOf(kind: Kind): Lifecycle {
  return new Lifecycle(registry[kind], () => Promise.resolve());
}
