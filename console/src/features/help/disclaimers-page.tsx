import { currentLocale } from '@/shared/i18n/locale';
import { loadDisclaimers } from './disclaimers';
import { Text } from './text';
import './help.css';

export default function DisclaimersPage() {
  return (
    <div className="help-text">
      <Text name="disclaimers" load={() => loadDisclaimers(currentLocale())} />
    </div>
  );
}
