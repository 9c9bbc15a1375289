import { listWrongChanges } from '../../calendar/changelog/stale.items.repository.ts'
import type { IntegrityCheck } from './check.ts'

export const changesCheck: IntegrityCheck = {
  name: 'changes',
  holds: 'The feed of changes has every item that visitors may see, and says of all others that they are gone.',
  find: async function* ({ db }) {
    yield* await listWrongChanges(db)
  },
}
