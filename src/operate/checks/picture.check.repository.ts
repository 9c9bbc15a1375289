import { listPictures } from '../../calendar/media/media.repository.ts'
import { filesOf } from '../../calendar/media/media.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { PictureStore } from '../../storage/pictures/picture.store.ts'
import type { IntegrityCheck } from './check.ts'

const picturesAtOnce = 100

/** @param store The store of picture files. */
export function pictureFilesCheck(store: PictureStore): IntegrityCheck {
  return {
    name: 'pictures',
    holds: 'Every picture has its files, in all of its sizes.',
    find: async function* ({ db }) {
      for (let after = 0; ; ) {
        const ids = await idsAfter(db, after)
        if (ids.length === 0) return
        const pictures = await listPictures(db, ids)
        for (const picture of pictures.values()) {
          for (const name of filesOf(picture)) {
            if (!(await store.find(name))) yield `picture ${picture.id}: ${name}`
          }
        }
        after = ids.at(-1) ?? after
      }
    },
  }
}

async function idsAfter(db: Db, after: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('media')
    .select('record_id')
    .where('record_id', '>', after)
    .orderBy('record_id')
    .limit(picturesAtOnce)
    .execute()
  return rows.map((row) => row.record_id)
}
