import { expect } from "vitest";
import type { Properties } from "../../provider/src/definition/value";
import { Lifecycle } from "../../provider/src/lifecycle/lifecycle";
import * as registry from "../../provider/src/registry";
import type { Session } from "../../provider/src/session/session";
import type { Kind } from "../helpers/provider-host";
import { sessionOf, silentSession } from "./session-of";

/** The lifecycle of a kind, as the adapters create it. Without a session of a local service, every call to the service fails. */
export function lifecycleOf(
  kind: Kind,
  session: Session = silentSession(),
): Lifecycle {
  return new Lifecycle(registry[kind], session);
}

/** Checks and creates a resource, as the engine does. */
export async function makeIn(
  session: Session,
  kind: Kind,
  news: Properties,
  urn?: string,
) {
  const lifecycle = lifecycleOf(kind, session);
  const { inputs, failures } = await lifecycle.check({ urn, news });
  expect(failures).toEqual([]);
  return { inputs, ...(await lifecycle.create({ urn, inputs })) };
}

/** One `pulumi` command on a local service: its session and messages, and its resources. */
export function commandOn(...given: Parameters<typeof sessionOf>) {
  const { session, logged } = sessionOf(...given);
  return {
    session,
    logged,
    lifecycle: (kind: Kind) => lifecycleOf(kind, session),
    make: (kind: Kind, news: Properties, urn?: string) =>
      makeIn(session, kind, news, urn),
  };
}
