import { maxUploadBytes } from '../../storage/pictures/picture.formats.ts'
import { type PulledEvent, type PulledPicture, type PullFolder, pictureFile } from './pull.folder.ts'
import { isId, isObject, itemsOf, type Pull } from './pull.lists.ts'
import { SiteError } from './site.client.ts'

/** Returns the pictures that records show, by id, with the addresses that are known. */
export async function picturesOf(folder: PullFolder): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  const note = (record: unknown) => {
    if (!isObject(record)) return
    const { image, featured_media: id } = record
    if (isObject(image) && isId(image.id)) found.set(image.id, String(image.url ?? ''))
    else if (isId(id) && !found.has(id)) found.set(id, '')
  }
  for (const name of await folder.list('events')) {
    const event = await folder.readJson<PulledEvent>(name)
    note(event?.raw)
    note(event?.v1)
  }
  for (const name of [...(await folder.list('lists')), ...(await folder.list('raw'))]) {
    const body = await folder.readJson<unknown>(name)
    for (const item of itemsOf(body)) note(item)
  }
  return found
}

/**
 * Fetches the texts of a picture, which only the interface for writers has, and its file. A picture whose file did not
 * come is fetched again by the next run.
 *
 * @throws SiteError
 */
export async function pullPicture(
  { client, folder, api, isSignedIn }: Pull,
  { id, known, path }: { readonly id: number; readonly known: string; readonly path: string },
): Promise<void> {
  const name = `media/${id}.json`
  const kept = await folder.readJson<PulledPicture>(name)
  if (kept && kept.fault === undefined) return
  const answer = await client.get(api(`${path}/${id}`, isSignedIn ? { context: 'edit' } : {}))
  const raw = answer.status === 200 && isObject(answer.body) ? answer.body : null
  const url = [raw?.source_url, raw?.url].find((one) => typeof one === 'string') ?? known
  const told: PulledPicture = { id, url, raw }
  try {
    if (!URL.canParse(url)) throw new SiteError(`media/${id}: its address is not known`)
    await folder.write(pictureFile(name), await client.download(new URL(url), maxUploadBytes))
    await folder.writeJson(name, told)
  } catch (error) {
    if (error instanceof SiteError)
      await folder.writeJson(name, { ...told, fault: error.message } satisfies PulledPicture)
    throw error
  }
}
