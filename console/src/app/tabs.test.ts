import { describe, expect, it } from 'vitest';
import { closeAll, closeOthers, closeTab, MAX_TABS, neighbour, openTab, type Tab } from './tabs';

const home: Tab = { key: '/home', pathname: '/home', search: '', affix: true };
const tab = (pathname: string): Tab => ({ key: pathname, pathname, search: '', affix: false });
const keys = (tabs: readonly Tab[]) => tabs.map(({ key }) => key);

describe('opening', () => {
  it('adds a tab at the end', () => {
    expect(keys(openTab([home], tab('/a'), false))).toEqual(['/home', '/a']);
  });

  it('follows the search part of a tab that is open, without a second one', () => {
    const tabs = openTab([home, tab('/a')], { pathname: '/a', search: '?current=2' }, false);
    expect(tabs.map(({ search }) => search)).toEqual(['', '?current=2']);
  });

  it('closes the oldest when there are too many, never an affixed one', () => {
    let tabs = [home];
    for (let number = 0; number < MAX_TABS; number += 1) tabs = openTab(tabs, tab(`/${number}`), false);
    expect(tabs).toHaveLength(MAX_TABS);
    expect(keys(tabs).slice(0, 2)).toEqual(['/home', '/1']);
  });
});

describe('closing', () => {
  const tabs = [home, tab('/a'), tab('/b')];

  it('one leaves the others', () => expect(keys(closeTab(tabs, '/a'))).toEqual(['/home', '/b']));
  it('never closes an affixed one', () => expect(keys(closeTab(tabs, '/home'))).toEqual(keys(tabs)));
  it('others keeps the chosen and the affixed', () =>
    expect(keys(closeOthers(tabs, '/b'))).toEqual(['/home', '/b']));
  it('all keeps the affixed', () => expect(keys(closeAll(tabs))).toEqual(['/home']));

  it('moves to the right neighbour, else to the left', () => {
    expect(neighbour(tabs, '/a')?.key).toBe('/b');
    expect(neighbour(tabs, '/b')?.key).toBe('/a');
  });
});
