trigger CartTrigger on Cart__c (before insert, after update) {
    if (Trigger.isBefore) {
        new CartHandler().beforeInsert(Trigger.new);
    }
}
