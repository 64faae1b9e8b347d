/** Every key that the console keeps in the browser's storage, so that none is used twice. */
export const storeKeys = {
  token: 'ZCBUS-TOKEN',
  locale: 'locale',
  user: 'ZCBUS-USER',
  customers: 'ZCBUS-CUSTOMERS',
  authInfo: 'ZCBUS-AUTH-INFO',
  rememberedUser: 'ZCBUS-REMEMBERED-USER',
  breadcrumbs: 'ZCBUS-BREADCRUMBS',
  nodeInfoType: 'ZCBUS-NODE-INFO-TYPE',
  menuCollapsed: 'ZCBUS-MENU-COLLAPSED',
  menuLast: 'ZCBUS-MENU-LAST',
  tableLayouts: 'ZCBUS-TABLE-LAYOUTS',
  tabs: 'ZCBUS-TABS',
  linkDraft: 'ZCBUS-LINK-DRAFT',
  farewell: 'ZCBUS-FAREWELL',
  expiredAt: 'ZCBUS-EXPIRED-AT',
} as const;
