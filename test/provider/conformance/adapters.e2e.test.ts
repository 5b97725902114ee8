import { describe } from "vitest";
import { DynamicHost } from "../../helpers/dynamic-host";
import { PluginHost } from "../../helpers/plugin-host";
import { pluginSettingsOf, settingsOf } from "../settings-of";
import { itConforms } from "./adapters";

describe("through Pulumi's host in a process", () =>
  itConforms("dynamic", (workspace) =>
    DynamicHost.start(settingsOf(workspace)),
  ));

describe("through the plugin in a process", () =>
  itConforms("plugin", (workspace) =>
    PluginHost.start(pluginSettingsOf(workspace)),
  ));
