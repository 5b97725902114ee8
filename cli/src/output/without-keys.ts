/** Keys that the environment configures, each with its region or without. */
const KEY_VARIABLE = /^DEVID_(?:MANAGEMENT|SECRET)_KEY(?:_[A-Z]+)?$/;

/**
 * A report, plain data, as it is printed: without the keys that the environment
 * configures and without anything that looks like a key. With `showSecrets` it
 * stays as it is.
 */
export async function withoutKeys<T>(
  report: T,
  { showSecrets = false }: { readonly showSecrets?: boolean } = {},
): Promise<T> {
  if (showSecrets) return report;
  const { Redactor } = await import("@devid/sdk");
  const { hideKeys } = await import("@devid/rules");
  const redactor = new Redactor();
  for (const [name, key] of Object.entries(process.env))
    if (KEY_VARIABLE.test(name)) redactor.add(key?.trim());
  return hideKeys(report, (text) => redactor.redact(text));
}
