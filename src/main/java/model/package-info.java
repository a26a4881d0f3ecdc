/** The records that travel between the rooms. Imports nothing of the house, and nothing of Camel. */
package model;
