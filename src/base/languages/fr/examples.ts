import type { ExampleTexts } from '../en/examples.ts'

/** Ce que montre chaque exemple du document OpenAPI, en français du Canada, sous les mêmes noms qu’en anglais. */
export const exampleTexts: ExampleTexts = {
  'one-route': 'Une seule route du répertoire',
  'unknown-namespace': 'Un autre espace de noms que celui de ce service',
  'version-only': 'Seulement la version d’OpenAPI',

  'first-page': 'La première page',
  'between-dates': 'Les événements entre deux dates',
  'near-a-place': 'Les événements près d’un endroit',
  'words-sought': 'Une recherche par mots',
  'used-only': 'Seulement ceux que portent des événements publiés',
  'in-french': 'En français',
  'not-public': 'Les brouillons et les éléments privés, pour qui peut les lire',
  'page-too-far': 'Une page qui n’existe pas',
  'invalid-value': 'Une valeur qui n’est pas permise',

  minimal: 'Seulement ce qui est obligatoire',
  'all-day': 'Un événement qui dure toute la journée',
  rich: 'Avec tout ce qu’on donne d’habitude',
  'with-new-records': 'Avec un lieu et un organisateur qui n’existent pas encore',
  'a-translation': 'La traduction d’un autre élément',
  'a-second-translation': 'Une traduction dans une langue qui existe déjà',
  'below-another': 'Sous une autre catégorie',
  'missing-value': 'Sans une valeur obligatoire',
  'name-taken': 'Un nom déjà pris',
  'slug-taken': 'Un identifiant d’adresse déjà pris',
  'signed-out': 'Sans authentification',
  'not-allowed': 'Avec un rôle qui ne donne pas ce droit',

  'one-record': 'Un élément que tout le monde peut lire',
  'with-password': 'Avec le mot de passe de l’événement',
  'without-password': 'Un événement protégé, sans son mot de passe',
  unknown: 'Un élément qui n’existe pas',
  private: 'Un élément qui n’est pas public',
  'in-trash': 'Un élément qui est dans la corbeille',

  'one-value': 'Une seule valeur; les autres ne changent pas',
  'other-dates': 'D’autres dates',
  cancel: 'Annulé, avec une raison',
  'without-links': 'Sans son lieu, ses organisateurs ni son prix',
  remove: 'Un élément qu’on peut retirer',
}
