/** The host names that the service answers to, in lower case; `*` means any host; undefined if the setting is empty. */
export type AllowedHosts = ReadonlySet<string> | undefined

/** Reads comma-separated host names without scheme and port. One that begins with a dot includes all its subdomains. */
export function parseHosts(text: string): AllowedHosts {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]))
  const isName = (name: string) =>
    name === '*' || (URL.canParse(`http://${name.replace(/^\./, '')}`) && !/[/:@?#](?!.*\])/.test(name))
  if (!names.every(isName)) throw new Error('host names without scheme and port, comma-separated, or *')
  return names.length === 0 ? undefined : new Set(names)
}
