import { describe, expect, it } from 'vitest';
import { closeAll, closeOthers, closeTab, MAX_TABS, neighbour, openTab, type Tab, tabAt } from './tabs';

const home: Tab = { key: '/home', pathname: '/home', search: '', affix: true };
const tab = (pathname: string): Tab => ({ key: pathname, pathname, search: '', affix: false });
const keys = (tabs: readonly Tab[]) => tabs.map(({ key }) => key);

describe('opening', () => {
  it('adds a tab at the end', () => {
    expect(keys(openTab([home], tab('/a'), false).tabs)).toEqual(['/home', '/a']);
  });

  const other = { pathname: '/a', search: '?name=x' };

  it('keys tabs by their full path: a link with another search part opens a tab of its own', () => {
    const { tabs, key } = openTab([home, tab('/a')], other, false);
    expect([keys(tabs), key]).toEqual([['/home', '/a', '/a?name=x'], '/a?name=x']);
    expect(openTab(tabs, { pathname: '/a', search: '' }, false)).toEqual({ tabs, key: '/a' });
  });

  it('follows what a page changes in its own address, without a second tab', () => {
    const { tabs, key } = openTab([home, tab('/a')], other, false, 'REPLACE', '/a');
    expect(tabs.map(({ search }) => search)).toEqual(['', '?name=x']);
    expect(key).toBe('/a');
    // Its first address is another place again; its key is taken.
    expect(keys(openTab(tabs, { pathname: '/a', search: '' }, false).tabs)).toEqual(['/home', '/a', '/a#2']);
  });

  it('back and forward stay with the tabs of a path, and go to the one that is just there', () => {
    const { tabs } = openTab([home, tab('/a')], other, false);
    expect(tabAt(tabs, other, 'POP', '/a')?.key).toBe('/a?name=x');
    expect(tabAt(tabs, { pathname: '/a', search: '?gone' }, 'POP', '/a?name=x')?.key).toBe('/a?name=x');
    expect(tabAt(tabs, { pathname: '/a', search: '?gone' }, 'POP', '/home')?.key).toBe('/a');
    expect(tabAt(tabs, { pathname: '/b', search: '' }, 'POP', '/a')).toBeUndefined();
  });

  it('has one tab for home, whatever its search part', () => {
    expect(openTab([home], { pathname: '/home', search: '?from=x' }, true).tabs).toHaveLength(1);
  });

  it('closes the oldest when there are too many, never an affixed one', () => {
    let tabs = [home];
    for (let number = 0; number < MAX_TABS; number += 1) ({ tabs } = openTab(tabs, tab(`/${number}`), false));
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
