/** Names of hosts that the service answers to, in lower case; `*` is every one; undefined where none is said. */
export type AllowedHosts = ReadonlySet<string> | undefined

/** Host names without scheme and port, comma-separated; one that begins with a dot stands for all below it. */
export function parseHosts(text: string): AllowedHosts {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]))
  const isName = (name: string) =>
    name === '*' || (URL.canParse(`http://${name.replace(/^\./, '')}`) && !/[/:@?#](?!.*\])/.test(name))
  if (!names.every(isName)) throw new Error('host names without scheme and port, comma-separated, or *')
  return names.length === 0 ? undefined : new Set(names)
}
