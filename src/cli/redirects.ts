import { type RedirectFormat, redirectFormats, redirectsOf } from '../exchange/imports/redirects.ts'
import { openPullFolder } from '../exchange/pull/pull.folder.ts'
import { CommandError, EXIT, say } from './output.ts'

/** Prints where the addresses of a fetched calendar lead now. */
export async function printRedirects(path: string, format: RedirectFormat): Promise<number> {
  const folder = openPullFolder(path)
  if (!(await folder.readManifest())) throw new CommandError(EXIT.usage, `“${path}” is not a folder of “pull tec”.`)
  const redirects = await redirectsOf(folder)
  say(redirectFormats[format](redirects).join('\n'))
  return EXIT.ok
}
