import type { importMessages as english } from '../en/messages.imports.ts'

/** Ce qui est dit des fiches d’une importation. */
export const importMessages = {
  'import.of.venues': 'lieux\u00a0: {text}',
  'import.of.organizers': 'organisateurs\u00a0: {text}',
  'import.of.categories': 'catégories\u00a0: {text}',
  'import.of.tags': 'étiquettes\u00a0: {text}',
  'import.file.json': 'n’est pas du JSON valide (le fichier est peut-être coupé)',
  'import.file.answer':
    'n’est pas une réponse enregistrée\u00a0: du JSON avec une liste «\u00a0events\u00a0», «\u00a0venues\u00a0», «\u00a0organizers\u00a0», «\u00a0categories\u00a0» ou «\u00a0tags\u00a0»',
  'import.file.too-large': 'est trop gros',
  'import.file.unreadable': 'est illisible\u00a0: {reason}.',
  'import.file.gone': 'avait disparu à la seconde lecture du fichier',
  'import.shape.object': 'doit être un groupe de champs',
  'import.shape.required': 'doit avoir les champs {names}',
  'import.shape.text': 'doit être un texte',
  'import.shape.whole': 'doit être un nombre entier',
  'import.shape.number': 'doit être un nombre',
  'import.shape.boolean': 'doit être true ou false',
  'import.shape.list': 'doit être une liste',
  'import.shape.characters': 'doit avoir au plus {most} caractères',
  'import.shape.items': 'doit avoir au plus {most} éléments',
  'import.shape.unknown': 'a une structure inconnue',
  'import.site': 'n’a pas d’adresse qui désigne son site',
  'import.event.site': 'n’a ni global_id ni rest_url qui le désigne',
  'import.event.protected':
    '(«\u00a0{title}\u00a0», id {id}) est protégé par un mot de passe, et la réponse n’a pas son contenu. Enregistrez-le seul avec /events/{id}?password=… et importez ce fichier avec --event-password-file',
  'import.event.guarded':
    'est protégé par un mot de passe, selon une liste d’un autre fichier. Importez ce fichier seul avec --event-password-file',
  'import.event.status': 'a l’état inconnu «\u00a0{status}\u00a0»',
  'import.event.start': 'start_date «\u00a0{date}\u00a0» n’est pas une date et une heure, comme 2030-01-31 19:00:00',
  'import.event.end': 'end_date «\u00a0{date}\u00a0» n’est pas une date et une heure, comme 2030-01-31 21:00:00',
  'import.event.zone': 'timezone «\u00a0{zone}\u00a0» est inconnu. Utilisez un nom comme America/Toronto',
  'import.long.text': 'a un texte de plus de {most} Ko',
  'import.long.line': 'a une ligne de plus de {most} caractères',
  'import.removed': 'des éléments non permis ont été retirés de la description\u00a0: {names}',
  'import.state': '{name} a une valeur qu’aucun événement ne peut avoir, et a été laissé de côté',
  'import.website': 'le site «\u00a0{url}\u00a0» n’est pas une adresse web et a été laissé de côté',
  'import.no-name.venue': 'le lieu {id} n’a pas de nom et a été nommé «\u00a0{name}\u00a0»',
  'import.no-name.organizer': 'l’organisateur {id} n’a pas de nom et a été nommé «\u00a0{name}\u00a0»',
  'import.no-parent':
    'le parent de «\u00a0{name}\u00a0» n’est dans aucun fichier, donc «\u00a0{name}\u00a0» est passé au premier niveau',
} as const satisfies Readonly<Record<keyof typeof english, string>>
