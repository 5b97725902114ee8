import { Lifecycle } from "../../provider/src/lifecycle/lifecycle";
import * as registry from "../../provider/src/registry";
import type { Session } from "../../provider/src/session/session";
import type { Kind } from "../helpers/dynamic-host";
import { silentSession } from "./session-of";

/** The lifecycle of a kind, as the adapters make it; without a session of a service, nobody answers it. */
export function lifecycleOf(
  kind: Kind,
  session: Session = silentSession(),
): Lifecycle {
  return new Lifecycle(registry[kind], session);
}
