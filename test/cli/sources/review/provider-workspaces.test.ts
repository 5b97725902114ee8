import { connect } from "@devid/pulumi/state";
import { expect, it } from "vitest";
import { ProviderWorkspaces } from "../../../../cli/src/sources/review/provider-workspaces";

const STRANGER = "https://stranger.example";

it("a review sends no key to an address that only a preview names, unless it has made the preview itself", () => {
  const get = (name: string) => (name === "endpoint" ? STRANGER : undefined);
  const workspaces = (open?: typeof connect) =>
    new ProviderWorkspaces(connect([]), true, open).of({ get });
  expect(() => workspaces()).toThrow(STRANGER);
  expect(workspaces(connect).client.configuration.eventsUrl).toContain(
    STRANGER,
  );
});
