import type { Context } from "../context";
import { Settings, settingsOf } from "../events/settings";
import { operation, type Operation } from "../http/operation";

/** `/_local/{region}/settings`: what a workspace is set to in the dashboard, or by its plan. */
export function settingsOperations({ store }: Context): Operation[] {
  return [
    operation({
      name: "getSettings",
      method: "GET",
      path: "/:region/settings",
      summary: "Settings of a workspace",
      status: 200,
      answer: Settings,
      run: ({ workspace }) => settingsOf(store, workspace),
    }),
    operation({
      name: "setSettings",
      method: "POST",
      path: "/:region/settings",
      summary: "Change settings of a workspace: only what is given",
      body: Settings.partial(),
      status: 200,
      answer: Settings,
      run: ({ workspace, body }) => {
        const settings = { ...settingsOf(store, workspace), ...body };
        store.settings.set(workspace, JSON.stringify(settings));
        return settings;
      },
    }),
  ];
}
