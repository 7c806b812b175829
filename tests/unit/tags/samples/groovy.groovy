#!/usr/bin/env groovy
// Builds of a small shop.
package demo

import groovy.transform.CompileStatic
import static java.lang.Math.max

interface Task { void run() }

interface Store {
    Item find(String id)
    List<Item> all()
}

trait Flying {
    abstract void fly()
    int speed() { limit() }
}

enum State { NEW, DONE }

enum Planet {
    EARTH(1),
    MARS(2);
    final int mass
    Planet(int m) { mass = m }
}

@interface Audited { String value() }

@CompileStatic
abstract class Build extends BaseBuild implements Task {
    String name
    static final int MAX = 3
    private final List<String> parts = [1, 2]
    def cache = []

    Build(String name) { this.name = name }

    @Override
    public void run() {
        steps.each { s -> execute(s) }
        println "class Fake {} ${describe(name)}"
        if (ready()) {
            go()
        } else if (later()) {
            wait()
        }
        for (x in list()) {
            use(x)
        }
        new Runner(this).start()
        return finish(name) { it.close() }
    }

    def helper(x) { transform(x) }

    protected Item load(String id) throws IOException {
        def local = store.find(id)
        fetch(local).result
    }

    static class Inner {
        void deep() {}
    }
}

class Box<T> {
    T value
    T get() { value }
}

final limit = 10
def version = '1.0'
def shout = { text -> text.toUpperCase() }
String title = heading()

def launch(String n) {
    new Build(n).run()
}

int größe(liste) { länge(liste) }

task clean(type: Delete) {
    delete buildDir
}

task docs {
    doLast { generate() }
}

tasks.register('publish', Copy) {
    from 'out'
}

pipeline {
    agent any
    stages {
        stage('Build') {
            steps { sh 'make' }
        }
    }
}

launch("a")
